import type { RequestLine } from './app-parts.ts'

/** The numbers and durations of requests since the start of the process. */
export interface RequestFigures {
  count(line: Pick<RequestLine, 'method' | 'route' | 'status' | 'ms'>): void
  /** In Prometheus' text format. */
  lines(): readonly string[]
}

const BOUNDS_S = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]

interface Series {
  readonly buckets: number[]
  count: number
  seconds: number
}

export function createRequestFigures(): RequestFigures {
  const counts = new Map<string, number>()
  const durations = new Map<string, Series>()
  return {
    count({ method, route, status, ms }) {
      // Only patterns of routes, so that a client cannot create series by requesting arbitrary paths.
      const known = `method="${METHODS.has(method) ? method : 'other'}",route="${route ?? 'other'}"`
      const name = `${known},status="${status}"`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const series = durations.get(known) ?? { buckets: BOUNDS_S.map(() => 0), count: 0, seconds: 0 }
      durations.set(known, series)
      series.count++
      series.seconds += ms / 1000
      for (const [index, bound] of BOUNDS_S.entries()) {
        if (ms / 1000 <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1
      }
    },
    lines: () => [
      '# HELP quorate_requests_total Requests answered.',
      '# TYPE quorate_requests_total counter',
      ...[...counts].map(([labels, count]) => `quorate_requests_total{${labels}} ${count}`),
      '# HELP quorate_request_seconds Time to the response; for a stream, to its headers.',
      '# TYPE quorate_request_seconds histogram',
      ...[...durations].flatMap(([labels, series]) => seriesLines(labels, series)),
    ],
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])

function seriesLines(labels: string, { buckets, count, seconds }: Series): readonly string[] {
  const bucket = (bound: number | '+Inf', value: number) =>
    `quorate_request_seconds_bucket{${labels},le="${bound}"} ${value}`
  return [
    ...BOUNDS_S.map((bound, index) => bucket(bound, buckets[index] ?? 0)),
    bucket('+Inf', count),
    `quorate_request_seconds_sum{${labels}} ${seconds}`,
    `quorate_request_seconds_count{${labels}} ${count}`,
  ]
}
