/** Finds libfaketime, which overrides a program's clock. Used only by tests and tools. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where Debian, Fedora and their kin put the library. */
const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib']

/** The library, or undefined where it is not installed. `FAKETIME_LIBRARY` names another place. */
export async function findFaketime(): Promise<string | undefined> {
  const named = process.env['FAKETIME_LIBRARY']
  if (named) return existsSync(named) ? named : undefined
  for (const folder of folders) {
    const machines = await readdir(folder).catch(() => [])
    const places = ['', ...machines.filter((name) => name.endsWith('-linux-gnu'))]
    const found = places
      .map((machine) => join(folder, machine, 'faketime', 'libfaketime.so.1'))
      .find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  return undefined
}
