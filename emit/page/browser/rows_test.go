package browser

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// leads are the tables whose rows have a button, by tab, with the choices of what they sum up.
var leads = []struct {
	tab, table string
	choices    []string
	// names returns what the details of the span must contain, given the texts of the row.
	names func(row []string) []string
}{
	{contentionTab, blameTable, []string{"By thread", "By pool"}, func(row []string) []string {
		return []string{poolDigits.ReplaceAllString(threadOf(row[0]), "")}
	}},
	{contentionTab, blameTable, []string{"By monitor", "By place", "By waiter"}, waitNames},
	{contentionTab, waitTable, nil, waitNames},
	{statisticsTab, threadTable, nil, first},
	{statisticsTab, totalTable, nil, func(row []string) []string {
		state, _, _ := strings.Cut(row[0], ":")
		return []string{map[string]string{"Waited": ""}[state] + strings.TrimPrefix(state, "Waited")}
	}},
	{statisticsTab, classTable, nil, func([]string) []string { return nil }},
	{statisticsTab, siteTable, nil, first},
	{statisticsTab, holderTable, nil, func(row []string) []string { return []string{row[1]} }},
	{statisticsTab, monitorTable, nil, func(row []string) []string { return []string{" " + row[1] + "\n"} }},
	{statisticsTab, ownerTable, nil, func(row []string) []string {
		return []string{row[1][strings.LastIndexByte(row[1], ' '):] + "\n"}
	}},
	{statisticsTab, pairTable, nil, func(row []string) []string { return []string{threadOf(row[0])} }},
	{pathTab, shareTable, []string{"By thread"}, func(row []string) []string { return []string{threadOf(row[0])} }},
	{pathTab, shareTable, []string{"By state", "By caller", "By monitor and wait"}, func([]string) []string { return nil }},
}

// poolDigits are the digits and stars of a pool's name.
var poolDigits = regexp.MustCompile(`[0-9*]+$`)

func first(row []string) []string { return row[:1] }

// threadOf returns the thread's name in "name (thread 7)".
func threadOf(text string) string {
	name, _, _ := strings.Cut(text, " (thread")
	return name
}

// waitNames returns the last word of what a wait was for if that is an id, or else the text.
func waitNames(row []string) []string {
	text := threadOf(row[0])
	words := strings.Fields(text)
	if last := strings.Trim(words[len(words)-1], "()"); len(words) > 1 {
		if _, err := strconv.Atoi(last); err == nil {
			return []string{last}
		}
	}
	return []string{strings.TrimPrefix(text, "the end of ")}
}

// TestRowsLeadToTheirSpans: in each table, a row's button selects a span that the row is about.
func TestRowsLeadToTheirSpans(t *testing.T) {
	t.Parallel()
	p := openContention(t, orders)
	for _, lead := range leads {
		choices := lead.choices
		if choices == nil {
			choices = []string{""}
		}
		for _, choice := range choices {
			p.click("tab", lead.tab)
			p.until(tableOf(lead.table)+`?.querySelector("tbody tr[data-at]") != null`, "the rows are there: "+lead.table)
			if choice != "" {
				p.click("radio", choice)
			}
			rows := p.rows(lead.table)
			for n, shown := range p.shownBy(lead.table, some(len(rows))) {
				i := some(len(rows))[n]
				where := lead.table + ", " + choice + ": " + rows[i][0]
				if shown.Tab != timelineTab || shown.Details == "" {
					t.Errorf("%s: nothing is shown in the timeline", where)
					continue
				}
				for _, name := range lead.names(rows[i]) {
					if !strings.Contains(shown.Details, name) {
						t.Errorf("%s: the span is not about %q: %q", where, name, shown.Details)
					}
				}
			}
		}
	}
}

// some returns the indexes of some rows: the first, one in the middle, and the last.
func some(rows int) []int {
	if rows <= 3 {
		return []int{0, 1, 2}[:rows]
	}
	return []int{0, rows / 2, rows - 1}
}

// shown is what a page shows: the tab, and the details of the selection.
type shown struct{ Tab, Details string }

// shownBy presses the buttons of a table's rows, and returns what the page then shows.
func (p *tab) shownBy(table string, rows []int) []shown {
	p.t.Helper()
	result, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]shown](`(async () => {
		const all = [], tab = () => document.querySelector("[role=tab][aria-selected=true]"), origin = tab();
		const details = () => document.querySelector(".timeline-details");
		for (const i of `+strings.ReplaceAll(fmt.Sprint(rows), " ", ",")+`) {
			details().querySelector(".close")?.click();
			origin.click();
			`+tableOf(table)+`.querySelectorAll("tbody tr[data-at]")[i].querySelector(".show").click();
			for (let n = 0; n < 300 && details().hidden; n++) await new Promise(go => setTimeout(go, 10));
			all.push({Tab: tab().innerText, Details: details().hidden ? "" : details().innerText});
		}
		origin.click();
		return all;
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}
