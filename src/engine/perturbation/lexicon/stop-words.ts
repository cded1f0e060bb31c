/** English words that carry no relation and no feeling by themselves. */
export const stopWords: ReadonlySet<string> = new Set(
  [
    'a an the this that these those some any each every both all no nor not only own same other such more most few',
    'i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours they them their theirs',
    'who whom whose which what where when why how',
    'is am are was were be been being has have had having do does did doing will would can could shall should may might must ought',
    'in on at by for with from of to into onto over under above below about against between through during before after up down out off',
    'and or but if then else than so because as until while again further once here there too very just also now',
  ].flatMap((line) => line.split(' ')),
);
