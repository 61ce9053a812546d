import type { Overview, Source } from "../source.js";
import type { Rows } from "./rows.js";

// GroupTimes are the overviews of collapsed thread groups, by group key. They are requested when a group is first
// collapsed.
export class GroupTimes {
  private readonly overviews = new Map<string, Overview>();

  constructor(
    private readonly source: Source,
    private readonly changed: () => void,
    private readonly failed: (problem: unknown) => void,
  ) {}

  // get returns the overview of a group: undefined before the request, and an empty one until the answer.
  get(group: string): Overview | undefined {
    return this.overviews.get(group);
  }

  // request requests the missing overviews of collapsed groups.
  request(rows: Rows): void {
    for (const row of rows.all) {
      if (row.thread !== 0 || !row.collapsed || this.overviews.has(row.group)) continue;
      this.overviews.set(row.group, { width: 1, times: [] });
      this.source.overview(row.members, BUCKETS).then((overview) => {
        this.overviews.set(row.group, overview);
        this.changed();
      }, this.failed);
    }
  }

  clear(): void {
    this.overviews.clear();
  }
}

const BUCKETS = 1600;
