import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Clients of a Tomcat within the program, some of whose requests need the same monitor. Its arguments: the file of Calls, and a folder for Tomcat. */
public final class Web {
    private static final int CLIENTS = 6, REQUESTS = 30, REPORT = 15;
    private static final Object archive = new Object();

    private Web() { }

    /** Answers a request. */
    private static final class Answer extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                if (request.getQueryString() != null) {
                    report();
                }
            } catch (Exception e) {
                throw new IOException(e);
            }
            response.getWriter().write("ok");
        }

        private static void report() throws Exception {
            long waits = Calls.waits(), begin = Truth.now();
            synchronized (archive) {
                Calls.add("monitor", begin, waits);
                Calls.log("sleep", () -> Thread.sleep(REPORT));
            }
        }
    }

    private static void ask(int port) {
        try {
            for (int i = 0; i < REQUESTS; i++) {
                URI uri = URI.create("http://127.0.0.1:" + port + "/answer" + (i % 3 == 0 ? "?report" : ""));
                HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
                if (i % 3 == 0) {
                    Calls.get("request", connection::getResponseCode);
                }
                connection.getInputStream().readAllBytes();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.OFF);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[1]);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", "12");
        Context context = tomcat.addContext("", args[1]);
        Tomcat.addServlet(context, "answer", new Answer());
        context.addServletMappingDecoded("/answer", "answer");
        tomcat.start();
        Calls.sample();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            Thread client = new Thread(() -> ask(tomcat.getConnector().getLocalPort()), "client-" + i);
            client.start();
            clients.add(client);
        }
        for (Thread client : clients) {
            Calls.log("join", client::join);
        }
        Calls.print(args[0]);
        tomcat.stop();
        tomcat.destroy();
    }
}
