import { videoFailure } from '../video-failure.js';
import type { Cues } from './cue.js';
import { numberAttribute, xmlElements } from './xml-elements.js';

/**
 * timedtext without `fmt` (`srv1`): `<transcript><text start="0.16" dur="3.2">I&amp;#39;m here</text></transcript>`, times in seconds, the
 * text escaped twice. A line without `dur` lasts until the next one.
 *
 * @throws UpstreamInvalidError (`truncated`)
 */
export function* parseClassicXml(body: string): Cues {
  for (const { attributes, inner, closed } of xmlElements(body, 'text')) {
    if (!closed) throw videoFailure('truncated');
    const start = numberAttribute(attributes, 'start');
    const duration = numberAttribute(attributes, 'dur');
    if (start === undefined) continue;
    const startMs = Math.round(start * 1000);
    yield {
      startMs,
      endMs: duration === undefined ? undefined : Math.round((start + duration) * 1000),
      text: inner,
    };
  }
  if (!body.trimEnd().endsWith('</transcript>')) throw videoFailure('truncated');
}
