/** A reason that a person can act on: it ends the task, and stands in its log and on its page. */
export class TaskFailure extends Error {}
