package dev.penstock.policy;

/** Is told when the policies in use change, or could not. Called on the thread that looks at the files; should be quick. */
public interface PolicyListener {
    /** A new version is in use. */
    default void onLoaded(Policies policies) {}

    /** The files are again as they were when the version in use was loaded, after they could not be used. */
    default void onRecovered(Policies policies) {}

    /** The files changed and cannot be used: the version before stays in use. */
    default void onRejected(PolicyFailure failure) {}
}
