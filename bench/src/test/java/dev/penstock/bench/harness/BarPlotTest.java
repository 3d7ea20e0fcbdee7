package dev.penstock.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BarPlotTest {
    @Test
    void svg_twoGroups_longestBarOfEachHasTheWholeWidth() throws Exception {
        Document svg = parsed(BarPlot.svg(
                "plot",
                "ours",
                List.of(
                        new BarPlot.Group(
                                "fast", List.of(new BarPlot.Bar("ours", 1_000), new BarPlot.Bar("peer", 250))),
                        new BarPlot.Group("small", List.of(new BarPlot.Bar("ours", 1), new BarPlot.Bar("peer", 2))))));

        assertThat(attributes(svg, "rect", "width")).containsExactly("100%", "510.0", "127.5", "255.0", "510.0");
        assertThat(attributes(svg, "rect", "fill").subList(1, 3)).doesNotHaveDuplicates();
        assertThat(texts(svg)).contains("plot", "fast", "small", "ours", "peer", "1,000", "250", "2");
    }

    @Test
    void svg_everything_isInsideThePicture() throws Exception {
        Document svg = parsed(BarPlot.svg(
                "plot", "ours", List.of(new BarPlot.Group("fast", List.of(new BarPlot.Bar("ours", 1_000))))));

        double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
        assertThat(attributes(svg, "text", "y"))
                .allSatisfy(y -> assertThat(Double.parseDouble(y)).isBetween(0.0, height));
    }

    @Test
    void svg_namesWithMarkup_areEscaped() throws Exception {
        Document svg = parsed(BarPlot.svg(
                "a < b & \"c\"", "ours", List.of(new BarPlot.Group("<g>", List.of(new BarPlot.Bar("&", 0))))));

        assertThat(texts(svg)).contains("a < b & \"c\"", "<g>", "&", "0");
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> attributes(Document svg, String tag, String name) {
        List<String> all = new ArrayList<>();
        NodeList nodes = svg.getElementsByTagName(tag);
        for (int i = 0; i < nodes.getLength(); i++) {
            all.add(((Element) nodes.item(i)).getAttribute(name));
        }
        return all;
    }

    private static List<String> texts(Document svg) {
        List<String> all = new ArrayList<>();
        NodeList nodes = svg.getElementsByTagName("text");
        for (int i = 0; i < nodes.getLength(); i++) {
            all.add(nodes.item(i).getTextContent());
        }
        return all;
    }
}
