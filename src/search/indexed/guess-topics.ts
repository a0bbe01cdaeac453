import { once } from '#text/memoize.ts';
import { searchWords } from '../words/search-words.ts';

/** How much of a description is read, in words. */
const maxWords = 60;
/** Words of a name, a tag or a beat tell a topic alone; of a description, two different ones. */
const enough = 2;

/**
 * Guesses what a medium is about from words that stand for a topic: `Kitchen Talk … recipes and wine` → `topic.food`. Not news, for
 * which nearly all media have words.
 *
 * @param naming the words of its names, tags and beats
 * @param description those of its description
 * @returns concepts
 */
export function guessTopics(naming: readonly string[], description: readonly string[]): string[] {
  const scores = new Map<string, number>();
  const count = (words: readonly string[], points: number) => {
    const tellingWords = new Set(words.filter((word) => topicsByWord().has(word)));
    for (const word of tellingWords)
      for (const topic of topicsByWord().get(word) ?? []) scores.set(topic, (scores.get(topic) ?? 0) + points);
  };
  count(naming, enough);
  count(description.slice(0, maxWords), 1);
  return [...scores].filter(([, score]) => score >= enough).map(([topic]) => topic);
}

/** The words that stand for topics and nothing else: "Reading" is a city. */
const topicsByWord = once(() => new Map([...searchWords().byWord].filter(([, concepts]) => concepts.every(isTopic))));

const isTopic = (concept: string) => /^topic\.(?!(?:general|local)_news$)/.test(concept);
