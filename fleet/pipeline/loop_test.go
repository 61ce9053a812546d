package pipeline

import (
	"context"

	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
)

// Loop does what the pipeline does, file by file, without Beam.
func Loop(ctx context.Context, files []string, o Options) error {
	analyser, err := analyse.New(o.Options)
	if err != nil {
		return err
	}
	sum := &rows.Set{}
	for _, name := range files {
		all, err := analyser.File(ctx, name)
		if err != nil {
			return err
		}
		sum.Merge(all)
	}
	shards, byLabels := make([][]rows.Row, o.Shards), map[string]int{}
	for _, row := range sum.Sorted() {
		shard := groupOf(row.AppendKey(nil), o.Shards)
		shards[shard] = append(shards[shard], row)
		byLabels[row.Labels]++
	}
	if err := tooMany(byLabels, o); err != nil {
		return err
	}
	for shard, all := range shards {
		if len(all) > 0 {
			if err := write(ctx, shard, all, o); err != nil {
				return err
			}
		}
	}
	return nil
}
