import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Tellers that change the same rows of a database within the program, and so wait for each other's transactions. Its arguments: the file of Calls, the
 * database's URL, and the URL that ends it, if there is one.
 */
public final class Bank {
    private static final int TELLERS = 6, TURNS = 25, ACCOUNTS = 2, HOLD = 10;

    private Bank() { }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    private static void serve(String url) {
        try (Connection connection = connect(url); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TURNS; i++) {
                int account = i % ACCOUNTS;
                Calls.log("database", () -> statement.executeUpdate("update account set amount = amount + 1 where id = " + account));
                Calls.log("sleep", () -> Thread.sleep(HOLD));
                connection.commit();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        String url = args[1];
        try (Connection connection = connect(url); Statement statement = connection.createStatement()) {
            statement.execute("create table account(id int primary key, amount int)");
            for (int i = 0; i < ACCOUNTS; i++) {
                statement.execute("insert into account values(" + i + ", 0)");
            }
            Calls.sample();
            List<Thread> tellers = new ArrayList<>();
            for (int i = 0; i < TELLERS; i++) {
                Thread teller = new Thread(() -> serve(url), "teller-" + i);
                teller.start();
                tellers.add(teller);
            }
            for (Thread teller : tellers) {
                Calls.log("join", teller::join);
            }
        }
        Calls.print(args[0]);
        if (args.length > 2) {
            try {
                connect(args[2]).close();
            } catch (SQLException e) {
                return; // a database says so that it has ended
            }
        }
    }
}
