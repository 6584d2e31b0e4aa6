import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { checkMigrations, contractSteps } from './contract-steps.ts'
import { project } from './package-program.ts'

test.each([
  ['drop table cart_note;', 'drops a table: cart_note'],
  ['drop table if exists cart_note cascade;', 'drops a table: cart_note'],
  ['alter table cart drop column note;', 'drops a column: note'],
  ['alter table cart drop note, add column words text;', 'drops a column: note'],
  ['ALTER TABLE cart\n  DROP COLUMN IF EXISTS note;', 'drops a column: note'],
  ['alter table cart rename to basket;', 'renames a table: cart'],
  ['alter table cart rename column note to words;', 'renames a column: note'],
  ['alter table cart rename note to words;', 'renames a column: note'],
  ['alter table cart alter column note set not null;', 'takes no null any more: note'],
  ['alter table cart alter note type int using note::int;', 'changes a type: note'],
  ['alter table cart alter column note set data type bigint;', 'changes a type: note'],
  ['alter table cart add column note text not null;', 'adds a column that must be given: note'],
  [
    "alter table cart add column a int, add column note text not null check (note <> ''), add column b int;",
    'adds a column that must be given: note',
  ],
])('%s is a contract step', (sql, step) => {
  expect(contractSteps(sql)).toEqual([step])
})

test.each([
  'create table cart_note (id uuid primary key, note text not null);',
  "alter table cart add column note text not null default '';",
  'alter table cart add column note text, add column at timestamptz;',
  'alter table cart add column total int not null generated always as (a + b) stored;',
  'alter table cart drop constraint cart_note_check, add constraint cart_note_check check (note is not null);',
  'alter table cart alter column note drop not null, alter column note drop default;',
  "alter table cart alter column note set default '';\nalter table cart alter column note set not null;",
  'alter table cart rename to cart_other; create table cart (id uuid primary key);',
  'alter index cart_by_note rename to cart_by_words; alter table cart rename constraint a to b;',
  'drop index cart_by_note; drop trigger cart_final on cart; drop function cart_is_final();',
  'create table was as select 1; drop table was;',
  "-- drop table cart\ncomment on table cart is 'We do not drop table cart; nor rename it.';",
])('%s is none', (sql) => {
  expect(contractSteps(sql)).toEqual([])
})

test('a contract step needs the release that stopped using it, at the head and before this one', async () => {
  await using folder = await createTemporaryFolder()
  await mkdir(join(folder.path, 'db/migrations'), { recursive: true })
  await writeFile(join(folder.path, 'package.json'), '{"version":"1.10.0"}')
  const drop = 'alter table cart drop column note;\n'
  const files = {
    '20261120000000_grandfathered.sql': drop,
    '20261201000000_silent.sql': drop,
    '20261201000001_said.sql': `-- Notes are gone.\n-- Contract: cart.note is unused since v1.9.3.\n${drop}`,
    '20261201000002_said-too-late.sql': `${drop}-- Contract: cart.note is unused since v1.9.3.\n`,
    '20261201000003_used-by-the-release-before.sql': `-- Contract: cart.note is unused since v1.10.0.\n${drop}`,
    '20261201000004_expands.sql': 'alter table cart add column words text;\n',
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder.path, 'db/migrations', file), text)
  expect((await checkMigrations(folder.path)).map((line) => line.split(' ')[0])).toEqual([
    'db/migrations/20261201000000_silent.sql',
    'db/migrations/20261201000002_said-too-late.sql',
    'db/migrations/20261201000003_used-by-the-release-before.sql',
  ])
})

test('migrations don’t drop anything the previous release may use', async () => {
  expect(await checkMigrations(project)).toEqual([])
})
