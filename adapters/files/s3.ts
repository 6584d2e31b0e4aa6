/**
 * Files in a bucket of S3-compatible storage. The bucket is private. The store serves files itself or signs URLs that
 * expire after a minute.
 */
import type { S3Client } from '@aws-sdk/client-s3'
import type { FileStore, SignedAddress } from '#domain/kernel/files/file-store.port.ts'
import { isId } from '#platform/ids.ts'

export type S3Settings = {
  bucket: string
  region: string
  /** Null for Amazon's own. */
  endpoint: string | null
  /** The storage's origin for signed URLs in browsers. Null if the store serves files itself. */
  publicEndpoint: string | null
  /** Null if the machine has its own identity, as on EC2, ECS, and Kubernetes. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

/**
 * A store in the bucket, under `files/`. The client is large and is loaded with the first call. A call is tried three
 * times, each for at most ten seconds. Throws for a key that is no UUID.
 */
export function createS3Store(settings: S3Settings): FileStore {
  const { bucket: Bucket, publicEndpoint } = settings
  let opened: ReturnType<typeof open> | undefined
  let signer: ReturnType<typeof openSigner> | undefined
  const s3 = () => (opened ??= open(settings))
  return {
    async put(key, bytes, contentType) {
      const { client, PutObjectCommand } = await s3()
      const object = { Bucket, Key: nameOf(key), Body: bytes, ContentLength: bytes.length, ContentType: contentType }
      await client.send(new PutObjectCommand(object))
    },
    async read(key, most) {
      const { client, GetObjectCommand } = await s3()
      try {
        const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket, Key: nameOf(key) }))
        if (ContentLength > most) throw new Error(`File ${key} has ${ContentLength} bytes, more than ${most}.`)
        return await Body?.transformToByteArray()
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined
        throw error
      }
    },
    async remove(key) {
      const { client, DeleteObjectCommand } = await s3()
      await client.send(new DeleteObjectCommand({ Bucket, Key: nameOf(key) }))
    },
    ...(publicEndpoint !== null && {
      async sign(key: string, { seconds, contentType, disposition }: SignedAddress) {
        signer ??= openSigner({ ...settings, endpoint: publicEndpoint })
        const { client, GetObjectCommand, getSignedUrl } = await signer
        const told = { ResponseContentType: contentType, ResponseContentDisposition: disposition }
        const object = { Bucket, Key: nameOf(key), ResponseCacheControl: 'private, no-store', ...told }
        return new URL(await getSignedUrl(client, new GetObjectCommand(object), { expiresIn: seconds }))
      },
    }),
    // An object is there when its last byte was received, or not at all.
    clear: () => Promise.resolve(0),
  }
}

async function open({ region, endpoint, credentials }: S3Settings) {
  const {
    DeleteObjectCommand,
    GetObjectCommand,
    PutObjectCommand,
    S3Client: Client,
  } = await import('@aws-sdk/client-s3')
  const client: S3Client = new Client({
    region,
    // Other makes have the bucket in the path, as their names need no DNS then.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  })
  return { client, DeleteObjectCommand, GetObjectCommand, PutObjectCommand }
}

/** Another client, as a signature holds the host that browsers ask. */
async function openSigner(settings: S3Settings) {
  const [opened, { getSignedUrl }] = await Promise.all([open(settings), import('@aws-sdk/s3-request-presigner')])
  return { ...opened, getSignedUrl }
}

function nameOf(key: string): string {
  if (!isId(key)) throw new Error('A key of a file is a UUID.')
  return `files/${key.toLowerCase()}`
}
