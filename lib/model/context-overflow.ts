/** What an error about the length of a prompt says. */
export interface Overflow {
  /** The model's window in tokens, where the message names it. */
  limit?: number;
  /** Tokens that the prompt had by the server's count, where the message names them. */
  requested?: number;
}

const SIGNS =
  /context[ _-]?(?:length|window|size|limit)|prompt is too long|input is too long|too many (?:input )?tokens|token count|tokens? exceed|request too large|reduce the length|maximum (?:input|prompt) length/i;

/**
 * Patterns for the window, tried in order. After the error texts of OpenAI, Azure, vLLM and OpenRouter ("maximum context
 * length is 8192 tokens", "configured limit of 272000 tokens"), Anthropic ("210000 tokens > 200000 maximum", "exceed
 * context limit: 190000 + 20000 > 200000"), Gemini ("exceeds the maximum number of tokens allowed (1048576)"), Mistral
 * ("with 32768 maximum context length"), llama.cpp ("available context size (8192 tokens)"), Cohere ("cannot exceed
 * 4081"), Groq ("tokens per minute (TPM): Limit 6000").
 */
const LIMITS = [
  /maximum context length (?:is|of) (\d+)/i,
  /> ?(\d+)(?: maximum|,|\.| |$)/i,
  /maximum number of tokens allowed \(?(\d+)/i,
  /available context size \(?(\d+)/i,
  /(\d+) maximum context length/i,
  /limit (?:of )?(\d+)/i,
  /cannot exceed (\d+)/i,
  /(?:context (?:length|window|size)|n_ctx)\D{1,20}(\d+)/i,
];
const REQUESTED = [
  /resulted in (\d+)/i,
  /\((\d+) in (?:the|your) (?:messages|prompt)/i,
  /requested (?:about )?(\d+)/i,
  /too long: (\d+)/i,
  /token count \(?(\d+)/i,
  /prompt contains (\d+)/i,
  /request \((\d+) tokens/i,
];

/** Reads an upstream's error text; undefined when it is not about the length of the prompt. Linear in the text. */
export function parseOverflow(message: string): Overflow | undefined {
  const text = message.slice(0, 4000).replace(/(\d)[,_](?=\d{3})/g, '$1');
  if (!SIGNS.test(text)) return undefined;
  const limit = firstNumber(text, LIMITS);
  const requested = firstNumber(text, REQUESTED);
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(requested === undefined ? {} : { requested }),
  };
}

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const value = Number(pattern.exec(text)?.[1]);
    // Smaller numbers are counts of messages, versions and the like.
    if (value >= 256) return value;
  }
  return undefined;
}
