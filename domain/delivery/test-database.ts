import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { createDatabase, type Database } from '#platform/db.ts'

/** A migrated database of its own, dropped at the end of the `await using` block. */
export async function createTestDatabase({ size = 10 }: { size?: number } = {}): Promise<{ db: Database; url: string } & AsyncDisposable> {
  const server = 'postgres://postgres@127.0.0.1:5999'
  const name = `b_${crypto.randomUUID().replaceAll('-', '')}`
  await administer(`${server}/postgres`, [`create database ${name}`])
  const folder = new URL('../../db/migrations/', import.meta.url)
  const migrations = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  await administer(`${server}/${name}`, await Promise.all(migrations.map((file) => readFile(new URL(file, folder), 'utf8'))))
  const db = createDatabase(`${server}/${name}`, { size })
  return {
    db,
    url: `${server}/${name}`,
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await administer(`${server}/postgres`, [`drop database ${name} with (force)`])
    },
  }
}

async function administer(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
