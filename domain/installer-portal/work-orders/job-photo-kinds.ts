/** Job photos. Safe in the browser. */

/** Photo names. A job has at most one of each. */
export const jobPhotoKinds = { old: 'Old tires', front: 'Front, mounted', rear: 'Rear, mounted' } as const
export type JobPhotoKind = keyof typeof jobPhotoKinds

/** A job photo; its file is read separately. */
export type JobPhoto = { bookingId: string; kind: JobPhotoKind; sentAt: Temporal.Instant }

/** Returns whether this is the name of a photo. */
export function isJobPhotoKind(name: string): name is JobPhotoKind {
  return Object.hasOwn(jobPhotoKinds, name)
}
