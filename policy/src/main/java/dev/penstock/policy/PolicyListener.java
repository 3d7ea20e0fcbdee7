package dev.penstock.policy;

/** Is told when the policies in use change, or could not. Called on the thread that looks at the files; should be quick. */
public interface PolicyListener {
    /** A new version is in use. */
    default void onLoaded(Policies policies) {}

    /** The files changed and cannot be used: the version before stays in use. */
    default void onRejected(PolicyFailure failure) {}
}
