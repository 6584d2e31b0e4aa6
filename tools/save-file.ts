/** Files of customers, shops and strangers, saved from the command line. */
import { writeFile } from 'node:fs/promises'
import { openFiles } from '#adapters/files/files.ts'
import { readFile, type NamedFile } from '#domain/kernel/files/files.server.ts'
import { loadFileConfig } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { print } from './command.ts'

/** Saves a file from `sender` at a path and prints the result. Refuses a deleted file. */
export async function saveFile(db: Database, { key }: NamedFile, path: string, sender: string): Promise<void> {
  const file = await readFile({ db, files: openFiles(loadFileConfig()) }, key)
  if (!file) throw new PlainError('The file was deleted.')
  await writeFile(path, file.bytes)
  print(`Saved ${path}. It was sent by a ${sender}: open it as such.`)
}
