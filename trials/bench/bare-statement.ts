import type { DatabaseSync } from 'node:sqlite';
import { databasePath, openReader } from '../../src/backends/embedded/database.ts';
import { SearchEngine } from '../../src/backends/embedded/search-engine.ts';
import type { Call } from './measure.ts';
import type { BareEngine } from './search.ts';
import { type Question, toPage, toSearchQuery } from './search-questions.ts';

/**
 * The embedded engine without the product: for each query the statements that return the rows of its page, as the
 * product's SearchEngine builds them, run on a connection of this process.
 */
export function openBareStatements(dataDir: string): BareEngine {
  const database = openReader(databasePath(dataDir));
  // Its statements call functions of the search engine.
  new SearchEngine(database);
  const recorder = openReader(databasePath(dataDir));
  const recorded = recordStatements(recorder);
  const engine = new SearchEngine(recorder);
  const calls = new Map<string, Call>();

  const wordStatement = (question: Question): Call => {
    recorded.length = 0;
    engine.search(toSearchQuery(question), toPage(question), 'masked');
    if (recorded.length === 0) throw new Error('the search engine ran no statement that gives a page');
    const statements = recorded.map(({ sql, values }) => ({ statement: database.prepare(sql), values }));
    return () => {
      for (const { statement, values } of statements) statement.all(...values);
    };
  };

  return {
    name: 'FTS5 statement',
    prepare(question) {
      const key = JSON.stringify(question);
      const call = calls.get(key) ?? wordStatement(question);
      calls.set(key, call);
      return call;
    },
    async close() {
      database.close();
      recorder.close();
    },
  };
}

interface RecordedStatement {
  sql: string;
  values: Array<string | number>;
}

/** Notes, from now on, each statement whose rows are read on the connection, with its values. */
function recordStatements(database: DatabaseSync): RecordedStatement[] {
  const recorded: RecordedStatement[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = (sql, options) => {
    const statement = prepare(sql, options);
    const all = statement.all.bind(statement) as (
      ...values: Array<string | number>
    ) => ReturnType<typeof statement.all>;
    statement.all = (...values: unknown[]) => {
      recorded.push({ sql, values: values as Array<string | number> });
      return all(...(values as Array<string | number>));
    };
    return statement;
  };
  return recorded;
}
