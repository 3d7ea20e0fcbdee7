package dev.penstock.server;

import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Reads the text of an answer. For an endless stream, it reads only the beginning. */
final class AnswerText implements BodyHandler<String> {
    @Override
    public BodySubscriber<String> apply(ResponseInfo info) {
        boolean goesOn = info.headers().firstValue("content-type").orElse("").startsWith("text/event-stream");
        return goesOn ? new Beginning() : BodySubscribers.ofString(StandardCharsets.UTF_8);
    }

    /**
     * Takes the first piece and requests no more; the service ends the stream. Cancelling would fail the text that was
     * read.
     */
    private static final class Beginning implements BodySubscriber<String> {
        private final CompletableFuture<String> text = new CompletableFuture<>();

        @Override
        public void onSubscribe(Subscription begun) {
            begun.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> piece) {
            StringBuilder all = new StringBuilder();
            piece.forEach(bytes -> all.append(StandardCharsets.UTF_8.decode(bytes)));
            text.complete(all.toString());
        }

        @Override
        public void onError(Throwable failure) {
            text.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            text.complete("");
        }

        @Override
        public CompletionStage<String> getBody() {
            return text;
        }
    }
}
