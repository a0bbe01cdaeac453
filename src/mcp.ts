import { createProgram, printError, runProgram } from '#src/command-line/command-line.ts';

const program = createProgram(
  'mcp',
  'Serve a running Masthead to models on standard input and output (Model Context Protocol). MASTHEAD_URL is the base URL of the service, MASTHEAD_API_KEY a key for it: docs/mcp.md.',
);
await runProgram(
  program.action(async () => {
    const [{ loadClientConfig }, { forwardMessages }] = await Promise.all([
      import('./settings/config.ts'),
      import('#http/mcp/forward-messages.ts'),
    ]);
    const { url, apiKey } = loadClientConfig();
    await forwardMessages({ url, apiKey });
    printError(`masthead: serves ${url}/mcp on standard input and output${apiKey === null ? ', without a key' : ''}`);
  }),
);
