/** A bucket for a drill's backups, as pgbackrest.conf requires: MinIO with TLS. */
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startMinio } from '#tests/support/minio.ts'
import { withOneBitChanged, type Repository } from './backup-repository.ts'
import { runPart, type Parts } from './debian-parts.ts'

/**
 * Creates an empty one in the MinIO at `program`. Its certificate is self-signed, like the certificate of an
 * on-premises storage.
 */
export async function createBucket(parts: Parts, program: string): Promise<Repository> {
  const tls = await createCertificate(parts)
  const minio = await startMinio(program, { tls })
  const { bucket: Bucket, region, endpoint, credentials } = minio.settings
  const httpsAgent = new Agent({ ca: tls.ca })
  const client = new S3Client({ region, endpoint, credentials, forcePathStyle: true, requestHandler: { httpsAgent } })

  const largestFile = async (matching: RegExp): Promise<string> => {
    let largest = { Key: '', Size: -1 }
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
      for (const { Key = '', Size = 0 } of Contents)
        if (matching.test(Key) && Size > largest.Size) largest = { Key, Size }
    if (largest.Size < 0) throw new Error(`No file of the bucket matches ${String(matching)}.`)
    return largest.Key
  }
  return {
    env: {
      PGBACKREST_REPO1_S3_BUCKET: Bucket,
      PGBACKREST_REPO1_S3_ENDPOINT: 'localhost',
      PGBACKREST_REPO1_S3_REGION: region,
      PGBACKREST_REPO1_S3_KEY: credentials.accessKeyId,
      PGBACKREST_REPO1_S3_KEY_SECRET: credentials.secretAccessKey,
      PGBACKREST_REPO1_S3_URI_STYLE: 'path',
      PGBACKREST_REPO1_STORAGE_PORT: String(minio.port),
      PGBACKREST_REPO1_STORAGE_CA_FILE: `${parts.inside}/storage/public.crt`,
      PGBACKREST_REPO1_CIPHER_PASS: 'a key of the drill',
    },
    async damage(file) {
      const Key = await largestFile(file)
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      const whole = await Body?.transformToByteArray()
      if (!whole) throw new Error(`${Key} is empty.`)
      await client.send(new PutObjectCommand({ Bucket, Key, Body: withOneBitChanged(whole) }))
      return async () => void (await client.send(new PutObjectCommand({ Bucket, Key, Body: whole })))
    },
    async whileAway(work) {
      await minio.stop()
      try {
        await work()
      } finally {
        await minio.start()
      }
    },
    async [Symbol.asyncDispose]() {
      client.destroy()
      await minio[Symbol.asyncDispose]()
    },
  }
}

async function createCertificate(parts: Parts): Promise<{ folder: string; ca: string }> {
  const inside = `${parts.inside}/storage`
  await runPart(parts, { program: 'mkdir', args: [inside] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${inside}/private.key`]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await runPart(parts, {
    program: 'openssl',
    args: ['req', '-x509', ...key, '-out', `${inside}/public.crt`, ...name, '-days', '2'],
  })
  const folder = join(parts.folder, 'storage')
  return { folder, ca: await readFile(join(folder, 'public.crt'), 'utf8') }
}
