/** The package's own types cannot be resolved by `nodenext`. */
declare module 'media-captions' {
  export function parseText(
    text: string,
    options: { type: 'srt' | 'vtt'; strict: boolean; errors: boolean },
  ): Promise<{ cues: { startTime: number; text: string }[]; errors: Error[] }>;
}
