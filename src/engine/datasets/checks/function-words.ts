import { folded, wordHash } from './normalised';

/**
 * Words that a language writes in nearly every sentence, for languages of the Latin script; the others are told by their script. A word
 * that several languages have speaks for each of them. Left out of a language are those that are names or content words of English (German `die`, `war`).
 */
const functionWords: Readonly<Record<string, string>> = {
  English:
    'the of and a to in is it that with for as was on be at by this have from or had not are but his they you were her she which we all there been their has will if can would who more no what so up out when its about into than them only other some could these may then do any my now such like our over even most did many before must through where much your should because each just those how too very while him me us an he i one s t n',
  German:
    'der das und ist nicht ein eine einen einem einer ich du er sie es wir ihr den dem des zu mit auf für von bei nach aus wie auch aber oder wenn dass daß sich sind hat haben wird werden wurde sehr noch nur schon mehr über unter durch mein meine kein keine sein seine im am zum zur vom als um so man an in uns mich dieser diese dieses',
  French:
    'le la les un une des du de et est que qui dans pour pas ne sur avec ce cette ces il elle nous vous ils je tu au aux par plus mais ou où sont était être avoir été fait très bien tout tous mon ma mes son sa ses leur si comme même aussi y en se sans c d l j qu n s a',
  Spanish:
    'el la los las un una unos unas de del y que en es no se por con para su sus lo le al más pero como está son muy fue ha había ser era todo también me mi mis te ya o sin sobre entre cuando donde este esta estos estas eso nos porque hay desde',
  Portuguese:
    'o a os as um uma de do da dos das e que em no na nos nas é não se por com para seu sua mais mas como está muito foi ser era tem também me meu minha ao à já ou sem sobre entre quando onde este esta isso pelo pela ele ela nós há foram porque todos todas depois ninguém muita vamos',
  Italian:
    'il lo la i gli le un uno una di del della dei delle e è che in non si per con su al alla più ma come sono molto anche questo questa da dal dalla nel nella ha ho era mi ci se o tutto stato essere quando dove loro suo sua mio mia senza ed ai l',
  Dutch:
    'de het een en van is dat niet in op te zijn met voor aan er maar om ook als bij naar uit dan wel nog zo door ik je hij ze we wij was heeft hebben worden werd wordt zeer heel veel meer deze dit die over geen mijn onze hun kan',
  Swedish:
    'och att det en ett som på är av för med den till inte om har de jag man var sig så från eller vi men han hon hade där när mycket bara kan ska skulle också efter vid mot alla mig min än nu denna detta i',
  Danish:
    'og at det en et som på er af for med den til ikke om har de jeg man var sig så fra eller vi men han hun havde der når meget kun kan skal skulle også efter ved mod alle mig min end nu denne dette i',
  Norwegian:
    'og at det en et som på er av for med den til ikke om har de jeg man var seg så fra eller vi men han hun hadde der når mye bare kan skal skulle også etter ved mot alle meg min enn nå denne dette i',
  Finnish:
    'ja on ei se että oli hän mutta kun niin myös ovat joka tai jos kuin minä olen ole mitä vain nyt sen sitä tämä hyvin kaikki jo sekä mukaan ollut olisi',
  Polish:
    'i w na z do się nie to jest że o jak za po ale co od tak jego już przez był była było czy być bardzo może ich tego ten ta tylko dla są ma ze oraz jej który która przed nikt nas bo kiedy gdy mnie nam wszystko więc',
  Czech:
    'a v na se je to že s z do o ale jako za by si po tak co jsem byl byla bylo které který která jsou pro nebo když také už jen velmi ještě ve není má mi',
  Hungarian:
    'a az és hogy nem is egy ez volt meg csak de van már mint azt ha el még nagyon vagy lesz ki ezt sem kell lehet amely minden után',
  Romanian:
    'și de în a la cu nu este o pe din un că care mai se pentru sunt dar era am fost ce au lui sau foarte fi acest această dacă când ca prin până după tot îi',
  Turkish:
    've bir bu da de için ile çok ne o ama gibi daha var olarak kadar değil en ben sonra ki mi her olan oldu şey yok bana ya hem bütün nasıl kimse zaman iki önce karşı çünkü göre bize onu onun bunu hiç artık',
  Indonesian:
    'yang dan di ini itu dengan untuk tidak dari dalam akan pada juga ke karena ada saya mereka oleh sudah atau dia kami bisa seperti telah sangat lebih adalah tersebut sebagai kita',
};

/** By the number that the checks keep of a language; 0: none that is sure. */
export const languageNames: readonly string[] = ['', ...Object.keys(functionWords)];

/** Open addressing; a power of two, thrice as many as there are words. */
const SLOTS = 4096;
const keys = new Uint32Array(SLOTS);
const bits = new Uint32Array(SLOTS);

for (const [index, list] of Object.values(functionWords).entries()) {
  for (const word of list.split(' ')) {
    const content = folded(word);
    const hash = wordHash(content, 0, content.length);
    let slot = hash & (SLOTS - 1);
    while (bits[slot] !== 0 && keys[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
    keys[slot] = hash;
    bits[slot]! |= 1 << (index + 1);
  }
}

/** The languages that have a word, by the hash of it: bit `1 << number`. */
export function languageBits(word: number): number {
  let slot = word & (SLOTS - 1);
  while (bits[slot] !== 0) {
    if (keys[slot] === word) return bits[slot]!;
    slot = (slot + 1) & (SLOTS - 1);
  }
  return 0;
}
