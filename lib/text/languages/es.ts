import type { LanguageWords } from './language-words.js';

/** Word lists of Spanish. */
export const es: LanguageWords = {
  functionWords:
    'el la los las un una unos unas de del en por para con sin sobre entre hasta desde contra según y e ' +
    'o u pero ni que se como cómo cuando cuándo donde dónde porque porqué quien quién quienes quiénes ' +
    'cual cuál cuales cuáles cuanto cuánto cuánta cuántos cuántas qué cuyo cuya yo tú él ella nosotros ' +
    'vosotros ellos ellas me te le les nos su sus mi mis este esta estos estas esto ese esa esos esas ' +
    'eso aquel aquella es son fue fueron era eran ser siendo sido está están estaba estaban ha han ' +
    'había habían hay haber no sí ya también sólo solo muy más menos al lo a ante durante tras mediante ' +
    'si tiene tienen tenía puede pueden',
  leadingAbbreviations:
    'sr sra sres srta dr dra dña prof profa ing lic arq gral cnel sto sta avda cf ej aprox p.ej',
  numberAbbreviations: 'núm no art arts fig pág págs pp vol cap ene feb abr jun jul ago sept oct nov dic',
  closingAbbreviations: 'etc ud uds vd vds cía ltda',
  collectedAbbreviations:
    'aa adj admón aero afma afmas afmo afmos all almte an ant ap apdo atte av bco bibl bol ca cdad ' +
    'cfr cm co col com comm corp cra crio cta dc dcha dcho deci dep depto deptos desc desv dicc dir ' +
    'dn doc dom dpto dptos drs dto dtor dª ecto ed ee emm esq exc excma excmas excmo excmos exma ' +
    'exmas exmo exmos ext fabric fca fdo febr figs fil fr fra fund geo gob gr grs hh hnos hs id igl ' +
    'ilma ilmas ilmo ilmos iltre im imp impr impto inc incl inst izdo izq izqdo jue kg kit korn lcda ' +
    'lcdo lda ldo licda licdo ltd ltdo lun may mg min mié mons mr mrs ms mss mt mtro máx mín ntra ' +
    'ntro ph ppal prev prov ptas pts pza párr párrf ram rdo rdos reg rep rev rte rvdmo rvdmos rvdo ' +
    'rvdos sa sdad seg sig sol sras srs srtas ss sáb tamb tel tfno trab trad univ uu var vda vid vie ' +
    'vs vto',
  backReferences: 'se él ella ellos ellas esto este esta estos estas eso ese esa su sus lo ambos allí',
  askingWords: 'nombre llama tipo cuánto cuánta cuántos cuántas cuanto tiempo significa diferencia cuesta',
  numbersToTwenty:
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis ' +
    'diecisiete dieciocho diecinueve veinte',
  tensFromThirty: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  otherNumbers:
    'un/una=1 veinti=20 veintiún=21 dós=2 trés=3 séis=6 cien/ciento=100 doscientos/doscientas=200 ' +
    'trescientos/trescientas=300 cuatrocientos/cuatrocientas=400 quinientos/quinientas=500 ' +
    'seiscientos/seiscientas=600 setecientos/setecientas=700 ochocientos/ochocientas=800 ' +
    'novecientos/novecientas=900 mil=1000 millón/millones=1e6 billón/billones=1e12',
  amounts:
    'medio/media/mitad=0.5 tercio/tercios=1/3 cuarto/cuartos=0.25 par/doble=2 triple=3 decena/década=10 ' +
    'docena=12 quincena=15 veintena=20 centenar/centenares/siglo=100 millar/miles=1000',
  ordinals:
    'primero/primer/primera segundo/segunda tercero/tercer/tercera cuarto/cuarta quinto/quinta ' +
    'sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima',
  decimalSigns: 'coma punto',
};
