// Request counts and latencies by method, route template and status. They are plain numbers, because every cached read
// updates them.

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
  seconds: number;
  buckets: number[];
}

export class RequestMeter {
  readonly #series = new Map<string, Series>();
  // Answers served from cached bytes.
  cacheHits = 0;

  record(request: Pick<Series, 'method' | 'route' | 'status'>, seconds: number): void {
    this.observe(this.seriesOf(request.method, request.route, request.status), seconds);
  }

  seriesOf(method: string, route: string, status: number): Series {
    const key = `${status}${method}${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { method, route, status, count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
      this.#series.set(key, series);
    }
    return series;
  }

  observe(series: Series, seconds: number): void {
    series.count += 1;
    series.seconds += seconds;
    const index = BUCKETS.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
  }

  series(): Series[] {
    return [...this.#series.values()];
  }

  // The buckets are cumulative, as Prometheus requires.
  static cumulative(series: Series): [bound: number, count: number][] {
    let total = 0;
    return BUCKETS.map((bound, index) => {
      total += series.buckets[index] ?? 0;
      return [bound, total];
    });
  }
}
