import { Option } from 'commander';

/** Which backend a trial runs on. */
export function backendOption(): Option {
  return new Option('--backend <name>', 'production: engines named by the environment, or started for this')
    .choices(['embedded', 'production'])
    .default('embedded');
}
