import type { paths } from '../../api/generated/service.d.ts'

type UsageBody = paths['/operator/v1/usage']['get']['responses']['200']['content']['application/json']

export type Usage = UsageBody['usage'][number]

export interface OperationUsage {
  operation: string
  succeeded: number
  refused: number
  failed: number
}

/** The sums of all applications and sellers, the most used operation first. */
export function perOperation(usage: readonly Usage[]): OperationUsage[] {
  const sums = new Map<string, OperationUsage>()
  for (const { operation, succeeded, refused, failed } of usage) {
    const sum = sums.get(operation) ?? { operation, succeeded: 0, refused: 0, failed: 0 }
    sum.succeeded += succeeded
    sum.refused += refused
    sum.failed += failed
    sums.set(operation, sum)
  }
  return [...sums.values()].sort((one, other) => total(other) - total(one))
}

const total = ({ succeeded, refused, failed }: OperationUsage) => succeeded + refused + failed
