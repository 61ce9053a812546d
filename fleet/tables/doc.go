// Package tables makes the tables that people and programs read of a fleet's rows: classes, callers, sites, blame,
// deadlocks, outliers, findings, traces and dead files.
//
//	tables.go      the tables and their columns
//	outliers.go    JVMs and hours that stand out
//	write.go       tables as JSON, CSV and Parquet
//	statistics.go  rows as the statistics that trcx diff compares
//	report.go      the answer for people
package tables
