package jet;

/**
 * Four ways to find an element of an array, each with the assertions that prove it in the manner of
 * Floyd and Hoare.
 */
public class Proof {
    private /*@ spec_public @*/ final int[] numbers;

    //@ public constraint numbers.length == \old(numbers.length);

    /** Keeps a copy of the numbers. */
    //@ assignable this.numbers;
    //@ ensures this.numbers != numbers && this.numbers.length == numbers.length;
    //@ ensures (\forall int i; 0 <= i && i < numbers.length; this.numbers[i] == numbers[i]);
    public Proof(int[] numbers) {
        this.numbers = numbers.clone();
    }

    /** Where a number that is there stands first. */
    /*@ public normal_behavior
      @   requires (\exists int i; 0 <= i && i < numbers.length; numbers[i] == wanted);
      @   assignable \nothing;
      @   ensures 0 <= \result && \result < numbers.length;
      @   ensures numbers[\result] == wanted;
      @   ensures (\forall int i; 0 <= i && i < \result; numbers[i] != wanted);
      @*/
    public /*@ pure @*/ int first(int wanted) {
        int at = 0;
        //@ assert (\exists int k; at <= k && k < numbers.length; numbers[k] == wanted);
        //@ loop_invariant 0 <= at && at < numbers.length;
        //@ loop_invariant (\forall int k; 0 <= k && k < at; numbers[k] != wanted);
        //@ loop_invariant (\exists int k; at <= k && k < numbers.length; numbers[k] == wanted);
        //@ decreases numbers.length - at;
        while (numbers[at] != wanted) {
            at = at + 1;
        }
        //@ assert numbers[at] == wanted;
        return at;
    }

    /** Where a number stands last, or -1. */
    /*@ public normal_behavior
      @   assignable \nothing;
      @   ensures -1 <= \result && \result < numbers.length;
      @   ensures \result >= 0 ==> numbers[\result] == wanted;
      @   ensures (\forall int i; \result < i && i < numbers.length; numbers[i] != wanted);
      @*/
    public /*@ pure @*/ int last(int wanted) {
        int at = numbers.length - 1;
        //@ assert (\forall int k; at < k && k < numbers.length; numbers[k] != wanted);
        //@ loop_invariant -1 <= at && at < numbers.length;
        //@ loop_invariant (\forall int k; at < k && k < numbers.length; numbers[k] != wanted);
        //@ decreases at + 1;
        while (at >= 0 && numbers[at] != wanted) {
            at = at - 1;
        }
        //@ assert at == -1 || numbers[at] == wanted;
        return at;
    }

    /** Where a number stands in a sorted array, found by halving. */
    /*@ public normal_behavior
      @   requires (\forall int i; 0 < i && i < numbers.length; numbers[i - 1] <= numbers[i]);
      @   assignable \nothing;
      @   ensures -1 <= \result && \result < numbers.length;
      @   ensures \result >= 0 ==> numbers[\result] == wanted;
      @   ensures \result == -1 ==> (\forall int i; 0 <= i && i < numbers.length; numbers[i] != wanted);
      @*/
    public /*@ pure @*/ int sorted(int wanted) {
        int low = 0;
        int high = numbers.length;
        //@ maintaining 0 <= low && low <= high && high <= numbers.length;
        //@ maintaining (\forall int k; 0 <= k && k < low; numbers[k] < wanted);
        //@ maintaining (\forall int k; high <= k && k < numbers.length; numbers[k] > wanted);
        //@ decreases high - low;
        while (low < high) {
            int middle = low + (high - low) / 2;
            //@ assert low <= middle && middle < high;
            if (numbers[middle] == wanted) {
                return middle;
            }
            if (numbers[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        //@ assert low == high;
        return -1;
    }

    /** Where the first of the largest numbers stands. */
    /*@ public normal_behavior
      @   requires numbers.length > 0;
      @   assignable \nothing;
      @   ensures 0 <= \result && \result < numbers.length;
      @   ensures numbers[\result] == (\max int i; 0 <= i && i < numbers.length; numbers[i]);
      @   ensures (\forall int i; 0 <= i && i < \result; numbers[i] < numbers[\result]);
      @*/
    public /*@ pure @*/ int largest() {
        int best = 0;
        //@ assert numbers[best] == numbers[0];
        //@ loop_invariant 1 <= at && at <= numbers.length && 0 <= best && best < at;
        //@ loop_invariant (\forall int k; 0 <= k && k < at; numbers[k] <= numbers[best]);
        //@ loop_invariant (\forall int k; 0 <= k && k < best; numbers[k] < numbers[best]);
        //@ decreases numbers.length - at;
        for (int at = 1; at < numbers.length; at++) {
            if (numbers[at] > numbers[best]) {
                best = at;
            }
        }
        //@ assert (\forall int k; 0 <= k && k < numbers.length; numbers[k] <= numbers[best]);
        return best;
    }
}
