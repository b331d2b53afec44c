/**
 * A short form for an operation of the control plane. Its options are the fields of the operation that are not listed
 * here.
 */
export interface CtlCommand {
  words: readonly [string, ...string[]]
  operationId: string
  /** Default: that of the operation, which several commands may share. */
  summary?: string
  /** Fields that are arguments, in their order. */
  arguments?: readonly string[]
  /** Fields that have a fixed value. */
  preset?: Readonly<Record<string, unknown>>
  /** Whether the body is a file, which is the argument. */
  takesFile?: true
  /** Whether the response is a document: printed as it is, also if it is JSON. */
  printsDocument?: true
  /** Whether it can take long: its progress is shown meanwhile. */
  showsProgress?: true
  /** Whether it causes background work, for which `--wait` waits. */
  waits?: true
  /** The fields of a list that a person reads. Default: all. `--json` prints all. */
  columns?: readonly string[]
  /** The operation that `--follow` calls instead: a stream of what is added to the list. */
  followOperationId?: string
  /** What follows the words, as a shell takes it, where the options alone do not say how to write them. */
  example?: string
  /** Whether the arguments are `name=value` for fields of the body, and none reads them. */
  assigns?: { readOperationId: string }
}

const ACT_PATHS = /^\/_souk\/acts\/(\w+)\/(\w+)$/

export const CTL_COMMANDS: readonly CtlCommand[] = [
  { words: ['clock', 'get'], operationId: 'getClock' },
  {
    words: ['clock', 'set'],
    operationId: 'advanceClock',
    summary: 'Move the clock to a later time',
    arguments: ['time'],
    waits: true,
  },
  {
    words: ['clock', 'advance'],
    operationId: 'advanceClock',
    summary: 'Move the clock forward',
    arguments: ['advanceSeconds'],
    waits: true,
  },
  { words: ['clock', 'next'], operationId: 'advanceClockToNext', waits: true },
  { words: ['clock', 'due'], operationId: 'listDue' },
  { words: ['clock', 'freeze'], operationId: 'advanceClock', summary: 'Stop the clock', preset: { frozen: true } },
  {
    words: ['clock', 'unfreeze'],
    operationId: 'advanceClock',
    summary: 'Let the clock continue',
    preset: { frozen: false },
  },
  { words: ['reset'], operationId: 'reset', waits: true },
  { words: ['snapshot', 'save'], operationId: 'takeSnapshot', arguments: ['name'] },
  { words: ['snapshot', 'restore'], operationId: 'restoreSnapshot', arguments: ['name'] },
  { words: ['snapshot', 'list'], operationId: 'listSnapshots' },
  { words: ['snapshot', 'delete'], operationId: 'deleteSnapshot', arguments: ['name'] },
  { words: ['export'], operationId: 'exportMarketplace', printsDocument: true },
  { words: ['import'], operationId: 'importMarketplace', takesFile: true, showsProgress: true },
  { words: ['fork', 'start'], operationId: 'createFork' },
  { words: ['fork', 'list'], operationId: 'listForks' },
  { words: ['fork', 'stop'], operationId: 'stopFork', arguments: ['id'] },
  { words: ['life', 'start'], operationId: 'startLife' },
  { words: ['life', 'status'], operationId: 'getLife' },
  { words: ['life', 'stop'], operationId: 'stopLife' },
  { words: ['readings'], operationId: 'changeReadings', assigns: { readOperationId: 'getReadings' } },
  {
    words: ['fault', 'add'],
    operationId: 'addFault',
    example: `--match '{ "operations": "getOrder" }' --action '{ "kind": "status", "status": 503 }' --count 2`,
  },
  { words: ['fault', 'list'], operationId: 'listFaults' },
  { words: ['fault', 'get'], operationId: 'getFault', arguments: ['id'] },
  {
    words: ['fault', 'enable'],
    operationId: 'switchFault',
    summary: 'Switch a fault rule on',
    arguments: ['id'],
    preset: { enabled: true },
  },
  {
    words: ['fault', 'disable'],
    operationId: 'switchFault',
    summary: 'Switch a fault rule off',
    arguments: ['id'],
    preset: { enabled: false },
  },
  { words: ['fault', 'remove'], operationId: 'removeFault', arguments: ['id'] },
  { words: ['fault', 'clear'], operationId: 'clearFaults' },
  { words: ['incident', 'list'], operationId: 'listIncidents', columns: ['name', 'active', 'summary'] },
  { words: ['incident', 'start'], operationId: 'startIncident', arguments: ['name'] },
  { words: ['incident', 'stop'], operationId: 'endIncident', arguments: ['name'] },
  { words: ['incident', 'stop-all'], operationId: 'endIncidents' },
  {
    words: ['requests'],
    operationId: 'listRequests',
    followOperationId: 'streamRequests',
    columns: ['time', 'id', 'method', 'path', 'status', 'operation', 'milliseconds'],
  },
  { words: ['requests', 'get'], operationId: 'getRequest', arguments: ['id'] },
  { words: ['requests', 'clear'], operationId: 'clearRequests' },
  { words: ['requests', 'har'], operationId: 'exportRequests', printsDocument: true },
  {
    words: ['verify'],
    operationId: 'verifyRequests',
    arguments: ['expectations'],
    example: `'{ "operation": "getOrder", "count": { "exactly": 0 } }'`,
    columns: ['name', 'passed', 'message'],
  },
  { words: ['events'], operationId: 'getEventBus' },
  { words: ['queue', 'list'], operationId: 'listLocalQueues', columns: ['name', 'messages'] },
  {
    words: ['queue', 'peek'],
    operationId: 'peekLocalQueue',
    arguments: ['name'],
    columns: ['sentAt', 'messageId', 'state', 'receiveCount', 'body'],
  },
  { words: ['overview'], operationId: 'getOverview' },
  { words: ['progress'], operationId: 'getProgress' },
  { words: ['certificate'], operationId: 'getLocalAuthority', printsDocument: true },
  { words: ['openapi'], operationId: 'getControlPlaneDocument', printsDocument: true },
  { words: ['seed-schema'], operationId: 'getSeedSchema', printsDocument: true },
]

/** What the first words of commands with several are about. */
export const CTL_GROUPS: Readonly<Record<string, string>> = {
  clock: 'Read, move and stop the clock',
  snapshot: 'Save and restore the whole state',
  fork: 'Start and stop isolated copies of the marketplace',
  life: 'Have buyers, carriers and competitors act by themselves',
  fault: 'Make operations, reports, feeds and notifications fail',
  incident: 'Start and stop known problems of the live service',
  queue: 'Look into the local queues',
  act: 'Act as a buyer, a carrier or a competitor',
  buyer: 'Act as a buyer',
  carrier: 'Act as a carrier',
  competitor: 'Act as a competitor',
}

/** `act buyer leave-feedback`, for each act. */
export function actCommands(operations: readonly { operationId: string; path: string }[]): CtlCommand[] {
  return operations.flatMap(({ operationId, path }) => {
    const [, who, what] = ACT_PATHS.exec(path) ?? []
    return who && what ? [{ words: ['act', who, toKebabCase(what)], operationId } as const] : []
  })
}

export const toKebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
