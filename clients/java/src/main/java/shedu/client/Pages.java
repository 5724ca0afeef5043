package shedu.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/** The items of a list that comes in pages, each of which is asked for when it is needed. */
final class Pages<P, T> implements Iterator<T> {
    private final Function<String, P> ask;
    private final Function<P, List<T>> items;
    private final Function<P, String> nextToken;
    private Iterator<T> page;
    private String token = "";

    private Pages(Function<String, P> ask, Function<P, List<T>> items, Function<P, String> nextToken) {
        this.ask = ask;
        this.items = items;
        this.nextToken = nextToken;
    }

    static <P, T> Iterable<T> of(Function<String, P> ask, Function<P, List<T>> items, Function<P, String> nextToken) {
        return () -> new Pages<>(ask, items, nextToken);
    }

    @Override
    public boolean hasNext() {
        // A page may be empty and still not the last.
        while (page == null || (!page.hasNext() && !token.isEmpty())) {
            P answer = ask.apply(token);
            page = items.apply(answer).iterator();
            token = nextToken.apply(answer);
        }
        return page.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.next();
    }
}
