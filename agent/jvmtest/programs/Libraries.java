import java.lang.reflect.Constructor;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Starts what its second argument names, without work, and ends the JVM half a second later. It names classes of
 * libraries by their names, so that it is compiled without them.
 */
public final class Libraries {
    private Libraries() { }

    private static Object create(String name, Object... arguments) throws Exception {
        for (Constructor<?> c : Class.forName(name).getConstructors()) {
            if (c.getParameterCount() == arguments.length && fits(c.getParameterTypes(), arguments)) {
                return c.newInstance(arguments);
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static boolean fits(Class<?>[] types, Object[] values) {
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isInstance(values[i]) && !(types[i] == int.class && values[i] instanceof Integer)
                && !(types[i] == long.class && values[i] instanceof Long)
                && !(types[i] == boolean.class && values[i] instanceof Boolean)) {
                return false;
            }
        }
        return true;
    }

    private static Object call(Object of, String method, Object... arguments) throws Exception {
        for (java.lang.reflect.Method m : of.getClass().getMethods()) {
            if (m.getName().equals(method) && m.getParameterCount() == arguments.length && fits(m.getParameterTypes(), arguments)) {
                return m.invoke(of, arguments);
            }
        }
        throw new NoSuchMethodException(of.getClass() + "." + method);
    }

    private static void jdk() throws Exception {
        ExecutorService fixed = Executors.newFixedThreadPool(2);
        fixed.submit(() -> { }).get();
        ScheduledExecutorService scheduled = Executors.newScheduledThreadPool(1, task -> new Thread(task, "scheduled"));
        scheduled.schedule(() -> { }, 1, TimeUnit.MINUTES);
        ScheduledExecutorService without = Executors.newScheduledThreadPool(1, task -> new Thread(task, "nothing-scheduled"));
        without.submit(() -> { }).get();
        new Timer("timer").schedule(new java.util.TimerTask() {
            @Override
            public void run() { }
        }, 1);
        new ForkJoinPool(1).submit(() -> { }).get();
    }

    private static void jetty() throws Exception {
        Object server = create("org.eclipse.jetty.server.Server", 0);
        call(server, "start");
        call(call(server, "getThreadPool"), "tryExecute", (Runnable) () -> { }); // starts a reserved thread
    }

    private static void netty() throws Exception {
        Runnable nothing = () -> { };
        call(create("io.netty.channel.nio.NioEventLoopGroup", 1), "execute", nothing);
        call(create("io.netty.util.concurrent.DefaultEventExecutorGroup", 1), "execute", nothing);
        call(Class.forName("io.netty.util.concurrent.GlobalEventExecutor").getField("INSTANCE").get(null), "schedule",
            nothing, 60L, TimeUnit.SECONDS); // without a task it ends after a second
    }

    private static void hikari() throws Exception {
        Object source = create("com.zaxxer.hikari.HikariDataSource");
        call(source, "setJdbcUrl", "jdbc:h2:mem:hikari");
        ((AutoCloseable) call(source, "getConnection")).close();
    }

    private static void dbcp() throws Exception {
        Object source = create("org.apache.commons.dbcp2.BasicDataSource");
        call(source, "setUrl", "jdbc:h2:mem:dbcp");
        call(source, "setTimeBetweenEvictionRunsMillis", 60_000L);
        ((AutoCloseable) call(source, "getConnection")).close();
    }

    private static void c3p0() throws Exception {
        System.setProperty("com.mchange.v2.log.MLog", "com.mchange.v2.log.FallbackMLog");
        System.setProperty("com.mchange.v2.log.FallbackMLog.DEFAULT_CUTOFF_LEVEL", "OFF");
        Object source = create("com.mchange.v2.c3p0.ComboPooledDataSource");
        call(source, "setJdbcUrl", "jdbc:h2:mem:c3p0");
        ((AutoCloseable) call(source, "getConnection")).close();
    }

    private static void tomcat(String folder) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Object server = create("org.apache.catalina.startup.Tomcat");
        call(server, "setBaseDir", folder);
        call(server, "setPort", 0);
        call(server, "getConnector");
        call(server, "start");
    }

    private static void xnio() throws Exception {
        Class<?> map = Class.forName("org.xnio.OptionMap"), xnio = Class.forName("org.xnio.Xnio");
        Object instance = xnio.getMethod("getInstance").invoke(null);
        xnio.getMethod("createWorker", map).invoke(instance, map.getField("EMPTY").get(null));
    }

    public static void main(String[] args) throws Exception {
        switch (args[1]) {
            case "jetty": jetty(); break;
            case "netty": netty(); break;
            case "hikari": hikari(); break;
            case "dbcp": dbcp(); break;
            case "c3p0": c3p0(); break;
            case "tomcat": tomcat(args[2]); break;
            case "xnio": xnio(); break;
            default: jdk();
        }
        Thread.sleep(500);
        System.out.println("done");
        System.exit(0);
    }
}
