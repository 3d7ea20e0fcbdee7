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

/** The text of an answer; of one that goes on and on, no more than how it begins. */
final class AnswerText implements BodyHandler<String> {
    @Override
    public BodySubscriber<String> apply(ResponseInfo info) {
        boolean goesOn = info.headers().firstValue("content-type").orElse("").startsWith("text/event-stream");
        return goesOn ? new Beginning() : BodySubscribers.ofString(StandardCharsets.UTF_8);
    }

    /** Takes the first piece, and asks for no more; the service ends it. To cancel it would fail what is read by now. */
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
