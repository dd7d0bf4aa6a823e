import type * as OpenTelemetryApi from '@opentelemetry/api';
import { isMissing } from './ports.js';
import { NO_SPAN, NO_TELEMETRY, type Attributes, type Span, type Telemetry } from './telemetry.js';

// Apart from `telemetry.ts`: its declarations name a peer that a host need not have.

const SCOPE = 'nestjs-tools';

/**
 * Spans and metrics through `@opentelemetry/api`, where the host has installed it (an optional peer); else {@link NO_TELEMETRY}.
 * Which SDK takes them, and whether one does, is the host's.
 */
export async function loadTelemetry(): Promise<Telemetry> {
  try {
    return openTelemetry(await import('@opentelemetry/api'));
  } catch (error) {
    if (isMissing(error, '@opentelemetry/api')) return NO_TELEMETRY;
    throw error;
  }
}

function openTelemetry(api: typeof OpenTelemetryApi): Telemetry {
  const { context, metrics, trace, ProxyTracerProvider, SpanKind, SpanStatusCode } = api;
  // Looked up each time: the host's SDK may be registered after this module. Without an SDK no span begins.
  const tracerInUse = (): OpenTelemetryApi.Tracer | undefined => {
    const provider = trace.getTracerProvider();
    return provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer(SCOPE)
      : provider.getTracer(SCOPE);
  };
  return {
    startSpan: (name, { attributes = {}, kind = 'internal' } = {}): Span => {
      const tracer = tracerInUse();
      if (!tracer) return NO_SPAN;
      const span = tracer.startSpan(name, {
        attributes: defined(attributes),
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      });
      return {
        set: (more) => {
          if (span.isRecording()) span.setAttributes(defined(more));
        },
        fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
        end: () => span.end(),
        run: (work) => context.with(trace.setSpan(context.active(), span), work),
      };
    },
    histogram: (name, { description, unit, boundaries }) => {
      const advice = boundaries && { explicitBucketBoundaries: boundaries };
      let provider: OpenTelemetryApi.MeterProvider | undefined;
      let instrument: OpenTelemetryApi.Histogram | undefined;
      return (value, attributes = {}) => {
        // The host's SDK may be registered after this module is, and an instrument made before would stay deaf.
        const current = metrics.getMeterProvider();
        if (!instrument || current !== provider) {
          provider = current;
          instrument = metrics.getMeter(SCOPE).createHistogram(name, { description, unit, advice });
        }
        instrument.record(value, defined(attributes));
      };
    },
  };
}

function defined(attributes: Attributes): OpenTelemetryApi.Attributes {
  const known: OpenTelemetryApi.Attributes = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) known[name] = value as OpenTelemetryApi.AttributeValue;
  }
  return known;
}
