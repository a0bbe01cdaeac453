import { InvalidArgumentError, Option } from 'commander';

/** Reads an option that is a whole number, 1 or more. */
export function atLeastOne(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return Number(text);
}

/** Which backend a trial runs on. */
export function backendOption(): Option {
  return new Option('--backend <name>', 'production: engines named by the environment, or started for this')
    .choices(['embedded', 'production'])
    .default('embedded');
}

/** Determines the random choices of a trial. The trial prints it, so a run can be repeated. */
export function seedOption(): Option {
  return new Option('--seed <n>', 'makes the same choices again; any unless given').argParser(atLeastOne);
}
