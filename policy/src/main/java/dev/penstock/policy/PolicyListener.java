package dev.penstock.policy;

/**
 * Receives each change of the policies in use, and each change that was rejected. Called on the thread that polls the
 * files, so it should return quickly.
 */
public interface PolicyListener {
    /** Called when a new version is in use. */
    default void onLoaded(Policies policies) {}

    /** Called when the files had errors and now match the version in use again. */
    default void onRecovered(Policies policies) {}

    /** Called when the files changed and have errors. The previous version stays in use. */
    default void onRejected(PolicyFailure failure) {}
}
