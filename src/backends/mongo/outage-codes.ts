/** Server error codes (MongoDB's error_codes.yml), by what prevents the work. */
const groups = {
  // UserNotFound, Unauthorized, AuthenticationFailed, UserWritesBlocked, ReauthenticationRequired
  notLetIn: [11, 13, 18, 371, 391],
  // HostUnreachable, HostNotFound, NetworkTimeout, ClientDisconnect, ConnectionPoolExpired, ConnectionError, SocketException
  notReached: [6, 7, 89, 279, 317, 384, 9001],
  // ShutdownInProgress, NotYetInitialized, NotSecondary, PrimarySteppedDown, NotWritablePrimary, InterruptedAtShutdown,
  // Interrupted, InterruptedDueToReplStateChange, NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary
  notPrimary: [91, 94, 95, 189, 10107, 11600, 11601, 11602, 13435, 13436],
  // WriteConcernTimeout, UnknownReplWriteConcern, UnsatisfiableWriteConcern, FailedToSatisfyReadPreference,
  // ReadConcernMajorityNotAvailableYet
  tooFewOfTheSet: [64, 79, 100, 133, 134],
  // StaleShardVersion, ShardNotFound, StaleEpoch, StaleConfig
  shardsMove: [63, 70, 150, 13388],
  // LockTimeout, LockBusy, MaxTimeMSExpired, NetworkInterfaceExceededTimeLimit, ExceededTimeLimit
  tooLate: [24, 46, 50, 202, 262],
  // CursorNotFound, WriteConflict, QueryPlanKilled, TransactionTooOld, CursorKilled, SnapshotTooOld, SnapshotUnavailable,
  // NoSuchTransaction, PreparedTransactionInProgress, TransactionExceededLifetimeLimitSeconds
  othersCameFirst: [43, 112, 175, 225, 237, 239, 246, 251, 267, 290],
  // RetryChangeStream, ChangeStreamFatalError, ChangeStreamHistoryLost
  followingCutOff: [234, 280, 286],
  // TooManyLogicalSessions, AtlasError (a cluster over its quota), OutOfDiskSpace
  noRoom: [261, 8000, 14031],
};

/**
 * Server errors caused by the state of the set, load, space or timeouts. All other codes mean that the request is
 * wrong.
 */
export const outageCodes: ReadonlySet<number> = new Set(Object.values(groups).flat());
