import java.io.CharConversionException;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Lets the JDK's validating parser judge documents, for the tests of package dtd.
 *
 * <p>The argument is a file with the name of one document a line. For each document a line is written:
 * its name, "well-formed", "not-well-formed" or "undecided", "valid" or "invalid", and the first complaint, separated by tabs.
 */
public final class Judge extends DefaultHandler {
    private boolean wellFormed = true;
    private boolean undecided;
    private String complaint = "";
    private boolean valid = true;

    public static void main(String[] arguments) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setValidating(true);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String name : Files.readAllLines(Path.of(arguments[0]))) {
            Judge judge = new Judge();
            // A parser that is used again may remember that the last document ended in its external subset.
            judge.read(factory.newSAXParser(), new File(name));
            out.println(name + "\t" + judge.verdict());
        }
        out.flush();
    }

    private void read(SAXParser parser, File document) {
        try {
            parser.parse(document, this);
        } catch (SAXException | CharConversionException e) { // the latter is a sequence of bytes that the encoding does not have
            wellFormed = false;
            complain(e);
        } catch (IOException | RuntimeException e) { // something cannot be fetched, or the parser has a defect
            undecided = true;
            complain(e);
        }
    }

    private String verdict() {
        String form = undecided ? "undecided" : wellFormed ? "well-formed" : "not-well-formed";
        return form + "\t" + (wellFormed && valid ? "valid" : "invalid") + "\t" + complaint.replaceAll("\\s+", " ");
    }

    private void complain(Exception e) {
        if (complaint.isEmpty()) {
            complaint = e instanceof SAXParseException at ? at.getLineNumber() + ": " + e.getMessage() : e.toString();
        }
    }

    @Override
    public void error(SAXParseException e) {
        valid = false;
        complain(e);
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXParseException {
        wellFormed = false;
        complaint = ""; // what was invalid before matters less
        complain(e);
        throw e;
    }
}
