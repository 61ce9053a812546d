module github.com/trcx/trcx

go 1.26
