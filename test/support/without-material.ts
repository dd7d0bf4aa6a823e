/** A prompt without what stands between the tags of `createDelimiter`: our own instructions. Takes JSON with escaped line ends too. */
export function withoutMaterial(prompt: string): string {
  return prompt.replaceAll(/<(material-[0-9a-f]{10})>(?:\n|\\+n)[\s\S]*?(?:\n|\\+n)<\/\1>/g, '');
}
