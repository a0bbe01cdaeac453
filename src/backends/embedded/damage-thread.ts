import { parentPort, workerData } from 'node:worker_threads';
import { findDamage } from './find-damage.ts';

/* A thread that reads a store and ends. */
parentPort?.postMessage(findDamage(workerData));
