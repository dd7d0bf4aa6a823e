/** A reply to play; see cases.mjs for its other fields. */
export interface HabitCase {
  group: string;
  name: string;
  open?: string;
}

export const cases: readonly HabitCase[];
