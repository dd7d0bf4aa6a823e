import { providerName } from '../../lib/model/ai-sdk.js';

describe('the name of a provider as the GenAI conventions have it', () => {
  it.each([
    ['openai.responses', 'openai'],
    ['anthropic.messages', 'anthropic'],
    ['google.generative-ai', 'gcp.gemini'],
    ['google.vertex.chat', 'gcp.vertex_ai'],
    ['azure.chat', 'azure.ai.openai'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['mistral.chat', 'mistral_ai'],
    ['xai.chat', 'x_ai'],
    ['ollama', 'ollama'],
    ['', 'unknown'],
  ])('is, for %j of the SDK, %j', (provider, name) => {
    expect(providerName({ specificationVersion: 'v3', provider, modelId: 'm' })).toBe(name);
  });

  it('is the first part of a name that the SDK resolves itself', () => {
    expect(providerName('anthropic/claude')).toBe('anthropic');
    expect(providerName('just-a-model')).toBe('unknown');
  });
});
