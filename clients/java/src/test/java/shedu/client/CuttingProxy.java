package shedu.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards connections to a server, and cuts each one after so many bytes of answers. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool(BotThreads.daemons("proxy"));
    private final AtomicInteger cuts = new AtomicInteger();
    private final String host;
    private final int port;
    private final int bytes;

    CuttingProxy(String server, int bytes) throws IOException {
        int colon = server.lastIndexOf(':');
        this.host = server.substring(0, colon);
        this.port = Integer.parseInt(server.substring(colon + 1));
        this.bytes = bytes;
        threads.execute(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    int cuts() {
        return cuts.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket here = listener.accept();
                threads.execute(() -> forward(here));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void forward(Socket here) {
        try (here;
                Socket there = new Socket(host, port)) {
            threads.execute(() -> copy(here, there));
            InputStream answers = there.getInputStream();
            OutputStream out = here.getOutputStream();
            byte[] buffer = new byte[4096];
            int left = bytes;
            while (left > 0) {
                int read = answers.read(buffer, 0, Math.min(left, buffer.length));
                if (read < 0) {
                    return;
                }
                out.write(buffer, 0, read);
                left -= read;
            }
            cuts.incrementAndGet();
        } catch (IOException broken) {
            return; // either side hung up
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException broken) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }
}
