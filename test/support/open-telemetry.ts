import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

/** What a host's own OpenTelemetry would have got. */
export interface Recorded {
  /** Spans that have ended since the test began. */
  spans(): ReadableSpan[];
  /** Every metric so far, of all tests of the file that use it. */
  metrics(): Promise<MetricData[]>;
}

/** A global OpenTelemetry in memory for each test of a `describe`. */
export function recordOpenTelemetry(): Recorded {
  const spans = new InMemorySpanExporter();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });

  beforeEach(() => {
    spans.reset();
    const processor = new SimpleSpanProcessor(spans);
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    metrics.setGlobalMeterProvider(meters);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  afterEach(() => {
    trace.disable();
    metrics.disable();
    context.disable();
  });
  afterAll(() => meters.shutdown());

  return {
    spans: () => spans.getFinishedSpans(),
    metrics: async () => {
      await reader.forceFlush();
      return exporter
        .getMetrics()
        .at(-1)!
        .scopeMetrics.flatMap((scope) => scope.metrics);
    },
  };
}
