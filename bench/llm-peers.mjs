import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A peer that hangs is given up after this. */
const LIMIT_MS = 90_000;

/**
 * LangChain (`@langchain/classic`, `@langchain/openai`, `@langchain/textsplitters`) and LlamaIndex (`llamaindex`, `@llamaindex/openai`) as
 * far as they are installed in a folder's node_modules, set up as their documentation does for long texts.
 */
export async function peers(folder, baseURL) {
  const require = createRequire(join(folder, 'package.json'));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  const found = [];
  try {
    found.push(...(await langchain(load, baseURL)));
  } catch (error) {
    console.error(`LangChain is left out: ${error.message}`);
  }
  try {
    found.push(await llamaIndex(load, baseURL));
  } catch (error) {
    console.error(`LlamaIndex is left out: ${error.message}`);
  }
  return found.map(({ name, run }) => ({ name, run: (input) => limited(run(input)) }));
}

function limited(promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

async function langchain(load, baseURL) {
  const { ChatOpenAI } = await load('@langchain/openai');
  const { loadSummarizationChain } = await load('@langchain/classic/chains');
  const { RecursiveCharacterTextSplitter } = await load('@langchain/textsplitters');
  const chain = (type, chunkSize) => ({
    name: `langchain ${type} (${chunkSize} chars)`,
    run: async ({ text }) => {
      const llm = new ChatOpenAI({
        model: 'fake-model',
        apiKey: 'key',
        configuration: { baseURL },
        maxConcurrency: 8,
      });
      // It would download a tokeniser's tables from the web first; where there is none it waits for minutes.
      llm.getNumTokens = async (content) => Math.ceil(String(content).length / 4);
      const splitter = new RecursiveCharacterTextSplitter({ chunkSize, chunkOverlap: 0 });
      const docs = await splitter.createDocuments([text]);
      const { text: summary } = await loadSummarizationChain(llm, { type }).invoke({ input_documents: docs });
      return { text: summary };
    },
  });
  return [chain('map_reduce', 16_000), chain('refine', 16_000)];
}

async function llamaIndex(load, baseURL) {
  const { getResponseSynthesizer, Settings, TextNode } = await load('llamaindex');
  const { OpenAI } = await load('@llamaindex/openai');
  return {
    name: 'llamaindex tree_summarize',
    run: async ({ text }) => {
      Settings.llm = new OpenAI({ model: 'gpt-4o', apiKey: 'key', baseURL });
      const nodes = [{ node: new TextNode({ text }) }];
      const synthesizer = getResponseSynthesizer('tree_summarize');
      const { message } = await synthesizer.synthesize({ query: 'Summarize the text.', nodes });
      return { text: String(message.content) };
    },
  };
}
