import { videoFailure } from '../video-failure.js';
import type { Cues } from './cue.js';
import { numberAttribute, xmlElements } from './xml-elements.js';

/**
 * timedtext `fmt=srv3`: `<timedtext format="3"><body><p t="80" d="4000"><s>hello</s><s t="320"> world</s></p></body></timedtext>`, times
 * in ms. A `p` with `a="1"` only appends a line break.
 *
 * @throws UpstreamInvalidError (`truncated`)
 */
export function* parseSrv3(body: string): Cues {
  const start = Math.max(0, body.indexOf('<body'));
  for (const { attributes, inner, closed } of xmlElements(body.slice(start), 'p')) {
    if (!closed) throw videoFailure('truncated');
    const startMs = numberAttribute(attributes, 't');
    if (startMs === undefined || numberAttribute(attributes, 'a') === 1) continue;
    const durationMs = numberAttribute(attributes, 'd');
    let text = inner;
    let lastWordMs: number | undefined;
    if (inner.includes('<s')) {
      text = '';
      for (const word of xmlElements(inner, 's')) {
        text += word.inner;
        const offset = numberAttribute(word.attributes, 't');
        if (offset !== undefined) lastWordMs = startMs + offset;
      }
    }
    yield { startMs, endMs: durationMs === undefined ? undefined : startMs + durationMs, text, lastWordMs };
  }
  if (!body.trimEnd().endsWith('</timedtext>')) throw videoFailure('truncated');
}
