"""Hooks of MkDocs. A link to a folder leads to a page that lists its files, as it does where the repository is browsed."""

import os
import re

from mkdocs.structure.files import File

LINK = re.compile(r"\]\(([^)#\s:]+)\)")


def linked_folder(config, page, link):
    """Returns the folder that a link of a page leads to, or None if it leads to something else."""
    path = os.path.normpath(os.path.join(os.path.dirname(page), link))
    return path if os.path.isdir(os.path.join(config.docs_dir, path)) else None


def index_of(config, folder):
    """Returns the name of the page that shows a folder."""
    has_readme = os.path.exists(os.path.join(config.docs_dir, folder, "README.md"))
    return "README.md" if has_readme else "index.md"


def on_files(files, config):
    folders = set()
    for page in files.documentation_pages():
        for link in LINK.findall(page.content_string):
            folders.add(linked_folder(config, page.src_uri, link))
    for folder in sorted(folders - {None}):
        if index_of(config, folder) == "index.md":
            names = sorted(os.listdir(os.path.join(config.docs_dir, folder)))
            lines = [f"# {folder}", "", *(f"- [{name}]({name})" for name in names)]
            page = File.generated(config, f"{folder}/index.md", content="\n".join(lines) + "\n")
            page.inclusion = page.inclusion.NOT_IN_NAV
            files.append(page)
    return files


def on_page_markdown(markdown, page, config, files):
    def with_index(match):
        link = match.group(1)
        folder = linked_folder(config, page.file.src_uri, link)
        return match.group(0) if folder is None else f"]({link.rstrip('/')}/{index_of(config, folder)})"

    return LINK.sub(with_index, markdown)
