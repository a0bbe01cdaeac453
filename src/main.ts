import { createProgram, runProgram } from '#src/command-line/command-line.ts';

const program = createProgram(
  'masthead',
  'Serve the API and the pages. All settings: docs/settings.md, or .env.example.',
);
await runProgram(
  program.action(async () => {
    // Loaded only here: `--help` does not wait for it.
    const { startService } = await import('./start/start-service.ts');
    await startService();
  }),
);
