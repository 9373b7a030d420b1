// The room Benchmark.
