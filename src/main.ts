import { createProgram, runProgram } from '#src/command-line/command-line.ts';

const program = createProgram(
  'masthead',
  'Serve the API and the pages. All settings: docs/settings.md, or .env.example.',
);
await runProgram(
  program.action(async () => {
    // Loaded only here, so that `--help` does not wait for the code of the service.
    const { startService } = await import('./start/start-service.ts');
    await startService();
  }),
);
